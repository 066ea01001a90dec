package io.verbena.conformance.transfer;

import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;

/// One row of the table of errors: a wrong request, and how it ends.
///
/// @param rule of the catalogue
/// @param options of the connection that the request is made for
/// @param violation the statuses to expect
/// @param ending the states in which the two queue pairs end
/// @param attempt fills in the wrong request of the left side
record ErrorRow(String rule, String name, LinkOptions options, Violation violation, Ending ending, Attempt attempt) {
    enum Ending {
        /// Refused when posted, with EINVAL, or as [#REMOTE]: both are allowed.
        REFUSED_OR_REMOTE,
        /// Refused when posted, with EINVAL; both go on.
        REFUSED,
        /// The requester fails; the peer does not notice.
        LOCAL,
        /// Both fail; a receive that the request met fails with it.
        REMOTE,
        /// The requester fails, because no answer comes or only a wish to wait; the peer stays as it is.
        GIVEN_UP,
        /// The requester sees success, both continue, and the message is lost.
        SILENT
    }

    /// Makes the request of the left side that is wrong: `near` is of the left side, `far` of the right one.
    interface Attempt {
        SendRequest make(QueuePairLink link, SendRequest request, MemoryRegion near, MemoryRegion far);
    }

    @Override
    public String toString() {
        return rule + ": " + name;
    }
}
