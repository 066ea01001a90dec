package io.verbena.soft.shm;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// The names in the shared folder. Whatever looks different is not ours, and left alone.
final class Names {
    static final int LONGEST = 120;

    /// The lock file in each process's subfolder. Its dot keeps it apart from the names that callers choose.
    static final String LOCK = ".lock";

    /// Announcements under the making, in the subfolder, too.
    static final String DRAFT = ".announcement-";

    /// Guards the announcements of all processes.
    static final String ANNOUNCEMENTS_LOCK = "announcements.lock";

    private static final String ANNOUNCEMENT = "key-";
    private static final Pattern PROCESS = Pattern.compile("process-[0-9]{1,10}-[0-9a-f]{16}");
    private static final Pattern CHOSEN = Pattern.compile("[A-Za-z0-9_:-][A-Za-z0-9_.:-]{0," + (LONGEST - 1) + "}");

    private Names() {}

    /// A name that was never used before: process ids come again, 64 random bits do not.
    static String newProcess() {
        String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        return "process-" + ProcessHandle.current().pid() + "-" + random;
    }

    static boolean isProcess(String name) {
        return PROCESS.matcher(name).matches();
    }

    static boolean isChosen(String name) {
        return CHOSEN.matcher(name).matches();
    }

    static boolean isAnnouncement(String name) {
        return name.startsWith(ANNOUNCEMENT) && isChosen(name.substring(ANNOUNCEMENT.length()));
    }

    static String announcement(String key) {
        if (!isChosen(key)) {
            throw FolderFailure.badName("announce", key);
        }
        return ANNOUNCEMENT + key;
    }
}
