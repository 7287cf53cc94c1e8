package dev.fairlead.adapter.local.directory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All that is below a folder as text: names, kinds, modes, owners, content. Moments of birth are left out. */
public final class Dump {
    private Dump() {}

    public static String of(Path folder) {
        if (!Files.exists(folder)) {
            return "nothing";
        }
        TreeMap<String, String> lines = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                lines.put(folder.relativize(path).toString(), describe(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder text = new StringBuilder();
        lines.forEach((name, what) -> text.append(name).append(' ').append(what).append('\n'));
        return text.toString();
    }

    private static String describe(Path path) throws IOException {
        Map<String, Object> facts = Files.readAttributes(path, "unix:mode,uid,gid,nlink", LinkOption.NOFOLLOW_LINKS);
        String common = "%o %s:%s".formatted((Integer) facts.get("mode"), facts.get("uid"), facts.get("gid"));
        if (Files.isSymbolicLink(path)) {
            return common + " -> " + Files.readSymbolicLink(path);
        }
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return common + " links " + facts.get("nlink") + " "
                    + Files.readString(path)
                            .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                            .replaceAll("\"project\": \"[1-9][0-9]*\"", "\"project\": \"NUMBER\"")
                            .replaceAll("\"dataset\": \"fairlead-[0-9a-f-]{36}\"", "\"dataset\": \"RANDOM\"")
                            .replaceAll("\"base\": \"[0-9a-f-]{36}\"", "\"base\": \"RANDOM\"");
        }
        return common;
    }
}
