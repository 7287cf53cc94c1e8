package dev.fairlead.bootstrap;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the packages of all modules small enough to be looked over, and their words apart from each other. */
class RoomsTest {
    private static final int MOST = 20;
    private static final String SOURCES = "src/main/java";

    @Test
    void no_package_has_more_types_than_one_looks_over() throws IOException {
        Map<Path, List<Path>> packages = sources().stream().collect(groupingBy(Path::getParent));

        assertThat(packages).allSatisfy((_, types) -> assertThat(types).hasSizeLessThanOrEqualTo(MOST));
    }

    @Test
    void no_simple_name_stands_for_two_types() throws IOException {
        Map<Path, List<Path>> names = sources().stream().collect(groupingBy(Path::getFileName, TreeMap::new, toList()));

        assertThat(names).allSatisfy((_, types) -> assertThat(types).hasSize(1));
    }

    private static List<Path> sources() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        TreeSet<Path> found = new TreeSet<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.map(it -> it.resolve(SOURCES))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    found.addAll(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.endsWith("package-info.java"))
                            .collect(toCollection(TreeSet::new)));
                }
            }
        }
        assertThat(found).as("sources below " + root).hasSizeGreaterThan(500);
        return List.copyOf(found);
    }
}
