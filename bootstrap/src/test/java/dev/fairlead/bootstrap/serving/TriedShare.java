package dev.fairlead.bootstrap.serving;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A folder of the storage machine, by NFS or by SMB.
 *
 * @param smb by SMB, as a user of its own
 */
record TriedShare(StorageMachine storage, boolean smb) implements TriedVolume {
    private static final String PASSWORD = "kills-word-12";

    @Override
    public boolean block() {
        return false;
    }

    @Override
    public Map<String, String> context() {
        return smb
                ? Map.of("node_attach_driver", "smb", "server", storage.host(), "share", "srv")
                : Map.of("node_attach_driver", "nfs", "server", storage.host(), "share", "/srv/nfs");
    }

    @Override
    public Map<String, String> secrets() {
        return smb ? Map.of("mount_flags", "username=kills,password=" + PASSWORD) : Map.of();
    }

    @Override
    public void makeNew() throws IOException, InterruptedException {
        var _ = storage.run("""
                rm -f /srv/nfs/file /srv/smb/file
                id kills >/dev/null 2>&1 || useradd -M kills
                printf '%1$s\\n%1$s\\n' | smbpasswd -s -a kills >/dev/null
                """.formatted(PASSWORD));
    }

    @Override
    public long grow() {
        return 0;
    }

    @Override
    public List<String> left() {
        return List.of();
    }

    @Override
    public void remove() throws IOException, InterruptedException {
        var _ = storage.run("rm -f /srv/nfs/file /srv/smb/file\nsmbpasswd -x kills >/dev/null\nuserdel kills\n");
    }
}
