package dev.fairlead.testkit.rules;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.fairlead.testkit.CompiledModule;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdapterRulesTest {
    private static final String MAP_MOUNTER = """
            import dev.fairlead.application.port.out.node.Attached;
            import dev.fairlead.application.port.work.Work;
            import dev.fairlead.domain.health.Silence;
            import java.nio.file.Path;
            import java.util.List;
            import java.util.Optional;
            final class MapMounter implements dev.fairlead.application.port.out.node.Mounter {
                public Optional<MountEntry> at(Path path, Work work) { return Optional.empty(); }
                public List<MountEntry> table(Work work) { return List.of(); }
                public boolean shows(Path path, DirectoryLookup found, MountEntry mount, Work work) { return false; }
                public List<MountEntry> showing(Path directory, Work work) { return List.of(); }
                public void bind(Attached.Directory source, Path target, List<String> flags, Work work) {}
                public void bindDevice(Path device, Path target, List<String> flags, Work work) {}
                public void mount(Filesystem filesystem, Path target, Work work) {}
                public Optional<Filesystem> mounted(Path target, Work work) { return Optional.empty(); }
                public void unmountLazily(Path target, Work work) {}
                public Optional<Silence> silence(Path path, Work work) { return Optional.empty(); }
                public boolean isAskedInVain(Path path) { return false; }
                public void unmount(Path target, Work work) {}
                public void makeDirectory(Path path, Work work) {}
                public void removeDirectory(Path path, Work work) {}
                public Usage usage(Path path, Work work) { return new Usage(0, 0, 0, 0, 0, 0); }
            }
            """;

    private static final String KEEPER = """
            final class Keeper implements dev.fairlead.application.port.work.WorkFactory {
                private final Kept kept = new Kept();
                public dev.fairlead.application.port.work.Work begin(
                        String requestId,
                        String what,
                        java.util.Optional<java.time.Duration> patience,
                        java.util.function.BooleanSupplier cancelled) {
                    throw new IllegalStateException();
                }
            }
            """;

    @TempDir
    static Path folder;

    /** A module with one fault of each kind, beside things that are right. */
    private static JavaClasses faulty = new ClassFileImporter().importClasses();

    @BeforeAll
    static void compile() {
        faulty = CompiledModule.adapter(folder.resolve("faulty"))
                .source("MapMounter", MAP_MOUNTER)
                .source("Tester", "final class Tester { org.assertj.core.api.Assert<?, ?> kept; }")
                .source("Shortcut", "final class Shortcut { dev.fairlead.application.service.call.KeyedLocks locks; }")
                .source("SampleModule", "public interface SampleModule {}")
                .source("SampleSettings", "public record SampleSettings(String path) {}")
                .source("Leak", "public final class Leak {}")
                .source("Open", "final class Open { final int open = 1; private volatile int ok; }")
                .source("Counter", "final class Counter { private int confined; }")
                .source("Kept", "final class Kept { private int changing; }")
                .source("Keeper", KEEPER)
                .source("Setter", "final class Setter { private volatile int x; void setX(int x) { this.x = x; } }")
                .source("Thrower", "final class Thrower { void run() { throw new UnsupportedOperationException(); } }")
                .source("Fine", "final class Fine { void run() { throw new IllegalStateException(); } }")
                .source("PathUtil", "final class PathUtil {}")
                .source("DiskManager", "final class DiskManager {}")
                .source("AbstractDisk", "abstract class AbstractDisk {}")
                .source("StoreImpl", "final class StoreImpl {}")
                .source("Long", "final class Long {\n" + "// line\n".repeat(300) + "}")
                .source("package-info", "/** Bare. */ package dev.fairlead.adapter.sample;")
                .test("OtherTest", "class OtherTest {}")
                .compiled();
    }

    private static void violates(ArchRule rule, String... named) {
        assertThatThrownBy(() -> rule.check(faulty))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(named);
    }

    private static void passes(ArchRule rule, String... named) {
        assertThatThrownBy(() -> rule.check(faulty)).message().doesNotContain(named);
    }

    @Test
    void an_implementation_without_its_contract_test_is_found() {
        violates(AdapterRules.mounters_pass_their_contract, "MapMounter must have a test that implements");
    }

    @Test
    void an_implementation_with_its_contract_test_is_let_pass() {
        JavaClasses sound = CompiledModule.adapter(folder.resolve("sound"))
                .source("MapMounter", MAP_MOUNTER)
                .test("MapMounterTest", """
                        class MapMounterTest implements dev.fairlead.testkit.contract.node.MounterContract {
                            public dev.fairlead.application.port.out.node.Mounter mounter() { return new MapMounter(); }
                            public java.nio.file.Path folder() { return java.nio.file.Path.of("/"); }
                            public void link(java.nio.file.Path link, java.nio.file.Path target) {}
                            public void file(java.nio.file.Path file) {}
                            public void mountOver(java.nio.file.Path source, java.nio.file.Path target) {}
                        }
                        """)
                .compiled();

        AdapterRules.mounters_pass_their_contract.check(sound);
        ShapeRules.every_package_is_null_marked.check(sound);
        ShapeRules.no_source_file_is_too_long(sound);
    }

    @Test
    void foreign_libraries_and_the_services_are_found() {
        violates(
                AdapterRules.adapters_know_ports_domain_and_their_own_libraries,
                "org.assertj",
                "dev.fairlead.application.service");
    }

    @Test
    void a_library_that_the_architecture_test_lists_is_let_pass() {
        JavaClasses listing = CompiledModule.adapter(folder.resolve("listing"))
                .source("Tester", "final class Tester { org.assertj.core.api.Assert<?, ?> kept; }")
                .test("ArchitectureTest", """
                        @dev.fairlead.testkit.rules.UsesLibraries("org.assertj.")
                        class ArchitectureTest {}
                        """)
                .compiled();

        AdapterRules.adapters_know_ports_domain_and_their_own_libraries.check(listing);
    }

    @Test
    void a_public_class_that_is_no_entry_point_is_found() {
        violates(AdapterRules.only_entry_points_are_public, "sample.Leak");
        passes(AdapterRules.only_entry_points_are_public, "SampleModule", "SampleSettings");
    }

    @Test
    void fields_that_are_open_or_change_are_found() {
        violates(ShapeRules.fields_are_private, "Open.open");
        violates(ShapeRules.fields_are_final_or_safe, "Kept.changing");
        passes(ShapeRules.fields_are_final_or_safe, "Open.ok", "Counter.confined");
        violates(ShapeRules.nothing_has_setters, "Setter.setX(int)");
    }

    @Test
    void an_exception_of_another_kind_is_found() {
        violates(ShapeRules.only_known_unchecked_exceptions_are_made, "Thrower.run()");
        passes(ShapeRules.only_known_unchecked_exceptions_are_made, "Fine.run()");
    }

    @Test
    void names_that_say_nothing_are_found() {
        violates(ShapeRules.names_say_what_a_class_is, "PathUtil", "DiskManager", "AbstractDisk", "StoreImpl");
    }

    @Test
    void a_package_that_is_not_null_marked_is_found() {
        violates(ShapeRules.every_package_is_null_marked, "dev.fairlead.adapter.sample must have");
    }

    @Test
    void a_long_source_file_is_found() {
        assertThatThrownBy(() -> ShapeRules.no_source_file_is_too_long(faulty))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Long.java: 303 lines");
    }
}
