/// Access to registered memory: keys, rights, and copies in and out.
package io.verbena.soft.mem;
