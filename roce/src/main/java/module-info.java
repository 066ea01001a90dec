/// RoCEv2 packet and MAD codecs: no threads, no sockets, no dependency.
module io.verbena.roce {}
