package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileContent;
import dev.fairlead.linux.LoopDevices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** Tells who uses an image on this machine, and whether its file system can copy it at one instant. */
public interface ImageUse {
    /** Returns the block device that shows an image; empty if none does. */
    Optional<Path> device(Path image) throws IOException;

    /**
     * Returns whether files of a file system can share blocks.
     *
     * @param scratch a folder on that file system, whose files are removed if nobody works on them
     */
    boolean sharesBlocks(Path scratch) throws IOException;

    /** Returns the use of images by the loop devices of this machine. */
    static ImageUse ofThisMachine(DiskQuestion question) {
        LoopDevices loops = LoopDevices.ofThisMachine(ImageForm.NAME);
        return new ImageUse() {
            @Override
            public Optional<Path> device(Path image) throws IOException {
                return question.ask(image, () -> loops.of(image));
            }

            @Override
            public boolean sharesBlocks(Path scratch) throws IOException {
                return question.ask(scratch, () -> triedOnce(scratch));
            }
        };
    }

    private static boolean triedOnce(Path scratch) throws IOException {
        Path probe = scratch.resolve("probe-" + UUID.randomUUID());
        Path shared = scratch.resolve(probe.getFileName() + "-shared");
        try {
            Files.write(probe, new byte[1 << 16]);
            return tried(scratch, name(probe), name(shared));
        } finally {
            Files.deleteIfExists(probe);
            Files.deleteIfExists(shared);
        }
    }

    private static byte[] name(Path file) {
        return String.valueOf(file.getFileName()).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean tried(Path scratch, byte[] from, byte[] to) throws IOException {
        try (FileCalls calls = new FileCalls();
                FileContent content = new FileContent()) {
            int folder = calls.openFolder(scratch);
            try {
                int source = calls.openFile(folder, from);
                try {
                    int target = calls.createFile(folder, to);
                    try {
                        return content.share(source, target);
                    } finally {
                        calls.closeFile(target);
                    }
                } finally {
                    calls.closeFile(source);
                }
            } finally {
                calls.closeFile(folder);
            }
        }
    }
}
