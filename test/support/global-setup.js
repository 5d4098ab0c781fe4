'use strict';
// Jest loads this outside of its own module system: TypeScript needs its loader here.
require('../../bin/register.js');

module.exports = async function globalSetup() {
  await require('./prepare-tests.ts').prepareTests();
};
