/// `echo`: an ordinary program with socket channels, over TCP and over RDMA.
package io.verbena.tools.echo;
