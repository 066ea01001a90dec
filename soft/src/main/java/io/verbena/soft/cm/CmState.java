package io.verbena.soft.cm;

/// The state of a connection. The names are those of the InfiniBand specification (volume 1, chapter 12).
enum CmState {
    /// Nothing was sent yet.
    IDLE,
    /// Active side: REQ sent, waiting for REP.
    REQ_SENT,
    /// Active side: the peer asked for more time (MRA).
    MRA_REQ_RECEIVED,
    /// Active side: the peer has accepted, and the program moves its queue pair.
    REP_RECEIVED,
    /// Passive side: the program has to accept or reject.
    REQ_RECEIVED,
    /// Passive side: REP sent, waiting for RTU or the first data.
    REP_SENT,
    /// Passive side: the peer asked for more time (MRA).
    MRA_REP_RECEIVED,
    ESTABLISHED,
    /// This side asked to disconnect, the peer has not confirmed.
    DREQ_SENT,
    /// Closed, but late messages may still arrive.
    TIMEWAIT,
    /// Closed, and removed from the tables.
    CLOSED
}
