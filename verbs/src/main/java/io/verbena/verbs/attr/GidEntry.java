package io.verbena.verbs.attr;

/// One row of a port's GID table. Counterpart of `struct ibv_gid_entry`.
public record GidEntry(Gid gid, int index, int port, GidType type) {}
