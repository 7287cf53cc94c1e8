package dev.fairlead.benchmarks.pools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Makes volumes of one kind of pool by a shell script, as somebody does it by hand who keeps a note of each volume and
 * wants what was answered to outlive a power cut.
 */
enum PoolScript {
    DIRECTORY("mkdir \"$volume\"\nchmod 0777 \"$volume\"\n"),
    IMAGE("mkdir \"$volume\"\ntruncate -s \"$size\" \"$volume/disk.img\"\nsync \"$volume/disk.img\" \"$volume\"\n"),
    BTRFS("btrfs -q subvolume create \"$volume\"\nbtrfs qgroup limit \"$size\" \"$volume\"\n"),
    XFS(
            "mkdir \"$volume\"\nxfs_quota -x -c \"project -s -p $volume $number\" -c \"limit -p bhard=$size $number\" \"$disk\" >/dev/null\n"),
    EXT4(
            "mkdir \"$volume\"\nchattr +P -p \"$number\" \"$volume\"\nsetquota -P \"$number\" 0 $((size / 1024)) 0 0 \"$disk\"\n"),
    ZFS(
            "mkdir \"$volume\"\nzfs create -o mountpoint=legacy -o refquota=\"$size\" \"$(zfs list -H -o name \"$disk\")/by-hand-$number\"\n");

    private static final String NOTE = """
            printf '{"name":"%s","capacity":%s}\\n' "$name" "$size" >"$notes/.$name"
            sync "$notes/.$name"
            mv "$notes/.$name" "$notes/$name.json"
            sync "$notes" "$volumes"
            """;

    private final String making;

    PoolScript(String making) {
        this.making = making;
    }

    /** Returns the pool's name, which is its kind. */
    String pool() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Makes a volume of a number on a disk, beside its pool. */
    void make(Path disk, int number, long size) throws IOException, InterruptedException {
        Path place = disk.resolve("by-hand");
        String name = "volume-" + number;
        ProcessBuilder builder = new ProcessBuilder("sh", "-euc", making + NOTE).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("disk", disk.toString());
        environment.put("volumes", place.resolve("v").toString());
        environment.put("notes", place.resolve("notes").toString());
        environment.put("volume", place.resolve("v").resolve(name).toString());
        environment.put("name", name);
        environment.put("number", Integer.toString(2_000_000_000 + number));
        environment.put("size", Long.toString(size));
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("the script of " + pool() + " ended badly: " + said);
        }
    }
}
