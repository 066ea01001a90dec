/// What programs did, read from the files of `--trace-file`: the model that `sequence` draws and `view` shows.
package io.verbena.tools.recording;
