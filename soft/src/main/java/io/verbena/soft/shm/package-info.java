/// Memory that processes of one user share on one host: files, who still lives, and bells.
package io.verbena.soft.shm;
