/// `rping`, the ping of RDMA: the client describes its memory, the server READs it and WRITEs it back.
package io.verbena.tools.rping;
