package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A module of an adapter or a library, written and compiled for one test. */
public final class CompiledModule {
    private final Path root;
    private final String room;
    private final List<Path> sources = new ArrayList<>();
    private final List<Path> tests = new ArrayList<>();

    private CompiledModule(Path root, String room) {
        this.root = root;
        this.room = room;
        source("package-info", "@org.jspecify.annotations.NullMarked package " + room + ";");
    }

    /** A module with the package {@code dev.fairlead.adapter.sample} and its package-info. */
    public static CompiledModule adapter(Path root) {
        return new CompiledModule(root, "dev.fairlead.adapter.sample");
    }

    /** A module with the package {@code dev.fairlead.sample} and its package-info. */
    public static CompiledModule library(Path root) {
        return new CompiledModule(root, "dev.fairlead.sample");
    }

    public CompiledModule source(String name, String code) {
        Path file = write("src/main/java", name, code);
        sources.remove(file);
        sources.add(file);
        return this;
    }

    public CompiledModule test(String name, String code) {
        tests.add(write("src/test/java", name, code));
        return this;
    }

    private Path write(String folder, String name, String code) {
        Path file = root.resolve(folder).resolve(room.replace('.', '/')).resolve(name + ".java");
        try {
            Files.createDirectories(file.getParent());
            String header = name.equals("package-info") ? "" : "package " + room + ";\n";
            return Files.writeString(file, header + code);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public JavaClasses compiled() {
        Path classes = root.resolve("target/classes");
        Path testClasses = root.resolve("target/test-classes");
        compile(sources, classes, "");
        compile(tests, testClasses, classes.toString());
        return new ClassFileImporter().importPaths(classes, testClasses);
    }

    private static void compile(List<Path> files, Path target, String more) {
        if (files.isEmpty()) {
            return;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            Files.createDirectories(target);
            String classPath = System.getProperty("java.class.path") + ":" + more;
            boolean done = compiler.getTask(
                            output,
                            manager,
                            null,
                            List.of("-proc:none", "-d", target.toString(), "-cp", classPath),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(done).as(output.toString()).isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
