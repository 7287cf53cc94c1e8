package dev.fairlead.testkit.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An adapter knows the ports, the domain, itself, and the libraries that the table gives to it; nothing else. */
public final class AllowedLibraries extends ArchCondition<JavaClass> {
    public static final String ADAPTERS = "dev.fairlead.adapter.";

    /** What every adapter may use. */
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

    /** What one adapter may use besides; a new adapter gets its row here. */
    private static final Map<String, List<String>> LIBRARIES = Map.of(
            "grpc",
                    List.of(
                            "io.grpc.",
                            "com.google.protobuf.",
                            "com.google.common.util.concurrent.",
                            "csi.v1.",
                            "pluginregistration.v1."),
            "k8s", List.of("okhttp3.", "okio.", "kotlin.", "com.google.gson.", "javax.net.ssl."),
            "local", List.of("dev.fairlead.linux."),
            "ssh", List.of("org.apache.sshd."),
            "zfs", List.of("com.google.gson.", "dev.fairlead.zfs."));

    public AllowedLibraries() {
        super("depend only on the domain, the ports, themselves and the libraries of their adapter");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        String adapter = adapterOf(type);
        List<String> allowed = Stream.of(
                        COMMON.stream(),
                        LIBRARIES.getOrDefault(adapter, List.of()).stream(),
                        Stream.of(ADAPTERS + adapter + "."))
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

    private static String adapterOf(JavaClass type) {
        String rest = type.getPackageName().substring(ADAPTERS.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }
}
