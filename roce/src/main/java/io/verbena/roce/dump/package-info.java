/// Packets for people: one-line and full text, and capture files that Wireshark and tcpdump read and write.
package io.verbena.roce.dump;
