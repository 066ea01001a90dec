package io.verbena.soft.status;

import java.io.IOException;

/// What a process sent is not a status that this version can read.
public final class StatusFormatException extends IOException {
    private static final long serialVersionUID = 1;

    StatusFormatException(String problem) {
        super(problem);
    }
}
