'use strict';
// Runs TypeScript as it stands, so that everything works right after `npm ci`, without a build.
require('tsx/cjs');
