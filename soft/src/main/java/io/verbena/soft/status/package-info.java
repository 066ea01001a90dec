/// What a process tells about itself to programs of its user, such as `verbena top`: the data, its encoding, and where
/// it is found.
package io.verbena.soft.status;
