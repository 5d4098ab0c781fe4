#!/usr/bin/env node
'use strict';
const fs = require('node:fs');
const path = require('node:path');

// In a checkout the TypeScript is run as it stands; in an image that holds only the build, the build.
const source = path.join(__dirname, '..', 'cli', 'main.ts');
if (fs.existsSync(source)) {
  require('./register.js');
  require(source);
} else {
  require(path.join(__dirname, '..', 'dist', 'cli', 'main.js'));
}
