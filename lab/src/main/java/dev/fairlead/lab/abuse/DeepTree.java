package dev.fairlead.lab.abuse;

import dev.fairlead.lab.abuse.machine.Shell;
import java.time.Duration;

/**
 * Copies a volume with 30,000 folders, each in the one before it, so that the path of the last is far longer than Linux
 * allows.
 */
final class DeepTree implements Torment, CopiedTree.Content {
    private static final int DEPTH = 30_000;
    private static final String MAKE = """
            import os, sys, time
            os.chdir(sys.argv[1])
            end = time.monotonic() + float(sys.argv[3])
            for i in range(int(sys.argv[2])):
                if time.monotonic() > end:
                    break
                os.mkdir('d')
                os.chdir('d')
            open('end', 'w').close()
            """;
    private static final String TELL = """
            import os, sys
            os.chdir(sys.argv[1])
            depth = 0
            while os.path.isdir('d'):
                os.chdir('d')
                depth += 1
            print(depth, 'folders, the last has', os.listdir('.'))
            """;

    private int depth;
    private Duration making = Duration.ZERO;

    @Override
    public void run(Scene scene) throws Exception {
        depth = scene.size(DEPTH);
        making = scene.making();
        CopiedTree.run(scene, "deep-" + scene.run(), this);
    }

    @Override
    public void make(String folder) throws Exception {
        var _ = Shell.python(MAKE, folder, depth, making.toMillis() / 1e3);
    }

    @Override
    public String tell(String folder) throws Exception {
        return Shell.python(TELL, folder);
    }
}
