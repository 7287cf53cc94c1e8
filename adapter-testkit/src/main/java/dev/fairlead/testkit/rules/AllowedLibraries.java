package dev.fairlead.testkit.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that an adapter or a library of this project depends only on the ports, the domain, itself, and the libraries
 * that {@link UsesLibraries} lists in its module's tests.
 */
public final class AllowedLibraries extends ArchCondition<JavaClass> {
    public static final String ADAPTERS = "dev.fairlead.adapter.";

    private static final String OURS = "dev.fairlead.";

    /** The packages that all of them may use. */
    private static final List<String> COMMON = List.of(
            "java.",
            "dev.fairlead.domain.",
            "dev.fairlead.application.port.",
            "dev.fairlead.application.config.",
            "org.jspecify.annotations.",
            "org.slf4j.",
            "org.immutables.value.",
            "dagger.",
            "jakarta.inject.",
            "javax.annotation.processing.");

    public AllowedLibraries() {
        super("depend only on the domain, the ports, themselves and the libraries that are listed for them");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        String room = roomOf(type);
        List<String> allowed = Stream.of(COMMON.stream(), libraries(type, OURS + room), Stream.of(OURS + room + "."))
                .flatMap(names -> names)
                .toList();
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            String target = dependency.getTargetClass().getBaseComponentType().getPackageName() + ".";
            boolean fine = target.equals(".") || allowed.stream().anyMatch(target::startsWith);
            if (!fine) {
                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
            }
        }
    }

    /** Returns what the architecture test of a class's adapter or library says that they may use. */
    private static Stream<String> libraries(JavaClass type, String room) {
        return Stream.iterate(
                        Optional.of(type.getPackage()), Optional::isPresent, it -> it.flatMap(JavaPackage::getParent))
                .flatMap(Optional::stream)
                .filter(it -> it.getName().equals(room))
                .flatMap(it -> it.getClasses().stream())
                .filter(it -> it.isAnnotatedWith(UsesLibraries.class))
                .flatMap(it ->
                        Stream.of(it.getAnnotationOfType(UsesLibraries.class).value()));
    }

    /** Returns the name of a class's adapter or library, such as {@code adapter.zfs} or {@code zfs}. */
    private static String roomOf(JavaClass type) {
        List<String> names =
                List.of(type.getPackageName().substring(OURS.length()).split("\\."));
        return String.join(
                ".", names.subList(0, Math.min(names.size(), names.getFirst().equals("adapter") ? 2 : 1)));
    }
}
