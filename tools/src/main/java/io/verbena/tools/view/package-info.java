/// One page from traces and captures. [ViewCommand] reads files into [ViewEvent]s; [Conversation] matches them, so that
/// a work request can be followed from its post over its packets to what the peer saw; [Findings] names what went
/// wrong; [ViewPage] writes the result and the scripts that show it into one HTML file.
package io.verbena.tools.view;
