package dev.fairlead.bootstrap.serving.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/** Checks that only this process's user can have written a file, or put another one in its place. */
record FileTrust(Path file) {
    private static final int OTHERS_WRITE = 022;
    private static final int STICKY = 01000;

    /** @throws IOException if the file may be somebody else's, or is no regular file */
    void require() throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Map<String, Object> of = Files.readAttributes(file, "unix:uid,mode,isRegularFile", LinkOption.NOFOLLOW_LINKS);
        if (folder == null || !Boolean.TRUE.equals(of.get("isRegularFile"))) {
            throw new IOException("it is no regular file");
        }
        Map<String, Object> above = Files.readAttributes(folder, "unix:uid,mode");
        Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!self.equals(of.get("uid"))) {
            throw new IOException("it is owned by another user");
        }
        if ((mode(of) & OTHERS_WRITE) != 0) {
            throw new IOException("it is writable by others");
        }
        boolean keeps = (mode(above) & STICKY) != 0 && self.equals(above.get("uid"));
        if ((mode(above) & OTHERS_WRITE) != 0 && !keeps) {
            throw new IOException(folder + ", in which it lies, is writable by others");
        }
    }

    private static int mode(Map<String, Object> attributes) {
        return attributes.get("mode") instanceof Integer mode ? mode : OTHERS_WRITE;
    }
}
