/// The speed of programs over Verbena's sockets beside the same programs over TCP, in one run.
package io.verbena.applications.speed;
