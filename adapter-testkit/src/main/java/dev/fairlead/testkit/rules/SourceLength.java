package dev.fairlead.testkit.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds source files that are too long to be read in one go. */
public final class SourceLength {
    public static final int MOST = 300;

    /** The files that may be longer: one sealed set, in which things are looked up. */
    private static final Set<String> LOOKED_UP = Set.of("Failure.java");

    private SourceLength() {}

    /**
     * Returns the source files of these classes' modules that have more than {@value #MOST} lines, imports not counted.
     */
    public static List<String> over(JavaClasses classes) {
        return over(ClassOrigin.modules(classes));
    }

    /** Returns the source files of the modules in these folders that have more lines than that. */
    public static List<String> over(Collection<Path> modules) {
        if (modules.isEmpty()) {
            throw new AssertionError("no module folder is known of the imported classes");
        }
        List<String> found = new ArrayList<>();
        int seen = 0;
        for (Path module : modules) {
            for (Path file : sources(module.resolve("src"))) {
                long lines = lines(file);
                seen++;
                if (lines > MOST && !LOOKED_UP.contains(file.getFileName().toString())) {
                    found.add(file + ": " + lines + " lines");
                }
            }
        }
        if (seen == 0) {
            throw new AssertionError("no source file was found below " + modules);
        }
        return found;
    }

    private static List<Path> sources(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.startsWith("import ")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
