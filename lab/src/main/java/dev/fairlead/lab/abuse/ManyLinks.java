package dev.fairlead.lab.abuse;

import dev.fairlead.lab.abuse.machine.Shell;
import java.time.Duration;

/** Copies a volume with 1.5 million names of 140 characters or more, which are hard links of each other in pairs. */
final class ManyLinks implements Torment, CopiedTree.Content {
    private static final int INODES = 750_000;
    private static final String MAKE = """
            import os, sys, time
            folder, count, end = sys.argv[1], int(sys.argv[2]), time.monotonic() + float(sys.argv[3])
            for i in range(count):
                if i % 1000 == 0:
                    if time.monotonic() > end:
                        break
                    below = os.path.join(folder, str(i // 1000))
                    os.mkdir(below)
                name = os.path.join(below, str(i).rjust(140, 'n'))
                os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o644))
                os.link(name, name + '-link')
            """;
    private static final String TELL = """
            import os, sys
            names, linked = 0, 0
            for below in os.scandir(sys.argv[1]):
                for file in os.scandir(below.path):
                    names += 1
                    linked += file.stat(follow_symlinks=False).st_nlink == 2
            print(names, 'names,', linked, 'of them linked twice')
            """;

    private int inodes;
    private Duration making = Duration.ZERO;

    @Override
    public void run(Scene scene) throws Exception {
        inodes = scene.size(INODES);
        making = scene.making();
        CopiedTree.run(scene, "links-" + scene.run(), this);
    }

    @Override
    public void make(String folder) throws Exception {
        var _ = Shell.python(MAKE, folder, inodes, making.toMillis() / 1e3);
    }

    @Override
    public String tell(String folder) throws Exception {
        return Shell.python(TELL, folder);
    }
}
