package dev.fairlead.adapter.zfs.fake;

import java.util.Deque;
import java.util.stream.Collectors;

/** Programs that work on what is mounted of a pool in memory. */
final class FakeFiles {
    private final FakeZfs pool;

    FakeFiles(FakeZfs pool) {
        this.pool = pool;
    }

    /** Where ACLs are off, a filesystem keeps none. */
    String setfacl(String path) {
        String name = pool.nodes.keySet().stream()
                .filter(each -> pool.require(each).type().equals("filesystem")
                        && pool.mountpoint(each).equals(path))
                .findFirst()
                .orElseThrow(() -> new FakeDatasets.Refused("setfacl: " + path + ": No such file or directory"));
        if (!pool.value(name, "acltype")[0].startsWith("posix")) {
            throw new FakeDatasets.Refused("setfacl: " + path + ": Operation not supported");
        }
        return "";
    }

    String list(String path) {
        return pool.nodes.entrySet().stream()
                .filter(entry -> entry.getValue().type().equals("filesystem")
                        && pool.mountpoint(entry.getKey()).equals(path))
                .flatMap(entry -> entry.getValue().files().keySet().stream())
                .collect(Collectors.joining("\n"));
    }

    static String test(Deque<String> words) {
        String left = words.pop();
        if (!words.pop().equals("=") || !left.equals(words.pop())) {
            throw new FakeDatasets.Refused("");
        }
        return "";
    }
}
