package dev.fairlead.adapter.local.pool.hostpath;

import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Tells whether a copy that {@code cp -rp} made has come to its end, at which its folder gets the time of the source's.
 *
 * <p>A folder that still has the time of its last entry got none. The source may have been changed after the copy's
 * folder was made and before it was read, so a time between that and the first entry was given, too. On a file system
 * that does not say when a file was made each copy counts as ended; and so does one of which the program left out files
 * that it could not copy.
 */
final class CopyEnd {
    private CopyEnd() {}

    static boolean isMissing(Path copy) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            int folder = calls.openFolder(copy);
            try {
                FileStat its = calls.stat(folder);
                return its.born() != 0 && time(its) >= its.born() && !hasYounger(calls, folder, time(its));
            } finally {
                calls.closeFile(folder);
            }
        }
    }

    private static boolean hasYounger(FileCalls calls, int folder, long time) throws IOException {
        for (List<byte[]> some = calls.nextNames(folder); !some.isEmpty(); some = calls.nextNames(folder)) {
            for (byte[] name : some) {
                if (calls.stat(folder, name).born() > time) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long time(FileStat file) {
        return file.seconds() * 1_000_000_000 + file.nanos();
    }
}
