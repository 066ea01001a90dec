/// Queue pairs: the requester sends, the responder serves the peer, the completer handles the peer's responses.
package io.verbena.soft.qp;
