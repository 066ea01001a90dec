/// RoCEv2 packet and MAD codecs: no threads, no sockets, no dependency.
module io.verbena.roce {
    exports io.verbena.roce.dump;
    exports io.verbena.roce.header;
    exports io.verbena.roce.mad;
    exports io.verbena.roce.packet;
}
