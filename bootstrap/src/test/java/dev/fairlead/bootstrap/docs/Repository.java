package dev.fairlead.bootstrap.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the work tree that the tests read. */
record Repository(Path root) {
    static Repository ofThisBuild() {
        var here = Path.of("").toAbsolutePath();
        var root = Stream.iterate(here, path -> path != null, Path::getParent)
                .filter(path -> Files.isRegularFile(path.resolve("fairlead")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(here + ": not inside the repository"));
        return new Repository(root);
    }

    String text(String path) {
        try {
            return Files.readString(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The Markdown files at the top, and below {@code docs} and {@code lab}. */
    List<Path> documents() {
        return Stream.concat(
                        walk(root, 1),
                        Stream.of("docs", "lab").map(root::resolve).flatMap(path -> walk(path, 9)))
                .filter(path -> path.toString().endsWith(".md"))
                .toList();
    }

    /** The sources of the product, tests left out, as paths below the root. */
    List<String> javaSources() {
        return walk(root, 1)
                .filter(path -> Files.isRegularFile(path.resolve("pom.xml")))
                .flatMap(module -> walk(module.resolve("src/main/java"), 20))
                .filter(path -> path.toString().endsWith(".java"))
                .map(path -> root.relativize(path).toString())
                .toList();
    }

    List<Path> filesIn(String folder) {
        return walk(root.resolve(folder), 1).filter(Files::isRegularFile).toList();
    }

    private static Stream<Path> walk(Path folder, int depth) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (var found = Files.walk(folder, depth)) {
            return found.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
