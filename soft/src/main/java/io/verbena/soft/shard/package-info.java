/// How several processes share one IP address: its sockets, and which of them gets which packet.
package io.verbena.soft.shard;
