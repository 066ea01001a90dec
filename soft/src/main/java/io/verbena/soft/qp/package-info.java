/// Queue pairs: the requester sends, the responder serves the peer, the completer takes the peer's answers.
package io.verbena.soft.qp;
