package dev.fairlead.testkit.rules;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.fairlead.testkit.CompiledModule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryRulesTest {
    private static final String SOUND = """
            final class Sound {
                private final dev.fairlead.domain.volume.NativeId id = new dev.fairlead.domain.volume.NativeId("v");
                @Override public String toString() { return id.value(); }
            }
            """;

    private static final String CLIENT = """
            final class Client implements dev.fairlead.application.port.out.cluster.Announcer {
                public void announce(dev.fairlead.application.port.out.cluster.Announcement announcement) {}
                public long dropped() { return 0; }
                public void close() {}
            }
            """;

    @TempDir
    static Path folder;

    /** A module with one fault of each kind, beside what is right. */
    private static JavaClasses faulty = new ClassFileImporter().importClasses();

    @BeforeAll
    static void compile() {
        faulty = CompiledModule.library(folder.resolve("faulty"))
                .source("Sound", SOUND)
                .source("Client", CLIENT)
                .source("Provided", "final class Provided { jakarta.inject.Provider<String> text; }")
                .source("Shortcut", "final class Shortcut { dev.fairlead.application.service.call.KeyedLocks locks; }")
                .source("Tester", "final class Tester { org.assertj.core.api.Assert<?, ?> kept; }")
                .compiled();
    }

    private static void violates(ArchRule rule, String... named) {
        assertThatThrownBy(() -> rule.check(faulty))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(named)
                .message()
                .doesNotContain("Sound");
    }

    @Test
    void a_library_that_breaks_nothing_is_let_pass() {
        JavaClasses sound = CompiledModule.library(folder.resolve("sound"))
                .source("Sound", SOUND)
                .compiled();

        for (ArchRule rule : List.of(
                LibraryRules.libraries_know_ports_domain_and_their_own_third_party,
                LibraryRules.libraries_implement_no_port_to_the_outside,
                LibraryRules.libraries_know_no_container)) {
            rule.check(sound);
        }
    }

    @Test
    void the_services_and_what_is_not_listed_are_found() {
        violates(
                LibraryRules.libraries_know_ports_domain_and_their_own_third_party,
                "org.assertj",
                "dev.fairlead.application.service");
    }

    @Test
    void an_implementation_of_a_port_to_the_outside_is_found() {
        violates(LibraryRules.libraries_implement_no_port_to_the_outside, "sample.Client");
    }

    @Test
    void what_a_container_would_provide_is_found() {
        violates(LibraryRules.libraries_know_no_container, "sample.Provided");
    }

    @Test
    void the_shape_of_a_library_is_held_as_an_adapter_s_is() {
        assertThatThrownBy(() -> ShapeRules.fields_are_private.check(faulty)).hasMessageContaining("Shortcut.locks");
    }
}
