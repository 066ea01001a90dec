/// Answers programs that look at this process: collects its status and sends it.
package io.verbena.soft.monitor;
