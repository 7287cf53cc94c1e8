package dev.fairlead.testkit.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Checks that an adapter or a library of this project depends only on the ports, the domain, itself, and the libraries
 * that the table lists for it.
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

    /** The packages that one of them may use besides; a new adapter or library gets its row here. */
    private static final Map<String, List<String>> LIBRARIES = Map.of(
            "adapter.grpc",
                    List.of(
                            "io.grpc.",
                            "com.google.protobuf.",
                            "com.google.common.util.concurrent.",
                            "csi.v1.",
                            "pluginregistration.v1."),
            "adapter.k8s", List.of("com.google.gson.", "dev.fairlead.http."),
            "adapter.kernel", List.of("com.google.gson."),
            "adapter.local", List.of("dev.fairlead.linux."),
            "adapter.ssh", List.of("org.apache.sshd."),
            "adapter.zfs", List.of("dev.fairlead.zfs."),
            "http", List.of("okhttp3.", "okio.", "kotlin.", "com.google.gson.", "javax.net.ssl."),
            "linux", List.of(),
            "zfs", List.of("com.google.gson."));

    public AllowedLibraries() {
        super("depend only on the domain, the ports, themselves and the libraries that are listed for them");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        String room = roomOf(type);
        List<String> allowed = Stream.of(
                        COMMON.stream(), LIBRARIES.getOrDefault(room, List.of()).stream(), Stream.of(OURS + room + "."))
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

    /** Returns the name of a class's adapter or library, such as {@code adapter.zfs} or {@code zfs}. */
    private static String roomOf(JavaClass type) {
        List<String> names =
                List.of(type.getPackageName().substring(OURS.length()).split("\\."));
        return String.join(
                ".", names.subList(0, Math.min(names.size(), names.getFirst().equals("adapter") ? 2 : 1)));
    }
}
