package io.verbena.rdmacore.qp;

/// An object that a request names and the driver reads while the request is posted: it is not closed before [#release].
interface HeldObject {
    void release();
}
