/// Which device a command works on: options that several commands share.
package io.verbena.tools.device;
