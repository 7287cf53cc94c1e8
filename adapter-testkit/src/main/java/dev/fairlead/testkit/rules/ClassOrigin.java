package dev.fairlead.testkit.rules;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Tells where a class comes from: from what is shipped, from its tests, or from a generator. */
public final class ClassOrigin {
    /** The classes that are shipped and written by hand. */
    public static final DescribedPredicate<JavaClass> WRITTEN =
            DescribedPredicate.describe("shipped and written by hand", ClassOrigin::isWritten);

    private static final String FOLDER = "/target/";

    private ClassOrigin() {}

    private static boolean isWritten(JavaClass javaClass) {
        return isShipped(javaClass) && !isGenerated(javaClass);
    }

    public static boolean isShipped(JavaClass javaClass) {
        return !isTest(javaClass);
    }

    public static boolean isTest(JavaClass javaClass) {
        return location(javaClass).contains("/test-classes/");
    }

    /** Returns whether a class was generated, by Dagger, by Immutables or by protobuf. */
    public static boolean isGenerated(JavaClass javaClass) {
        return topLevel(javaClass).getSimpleName().contains("_")
                || topLevel(javaClass).getSimpleName().startsWith("Dagger")
                || javaClass.getPackageName().endsWith(".csi.v1")
                || javaClass.getPackageName().equals("csi.v1")
                || javaClass.getPackageName().equals("pluginregistration.v1")
                || topLevel(javaClass).isAnnotatedWith("org.immutables.value.Generated");
    }

    public static JavaClass topLevel(JavaClass javaClass) {
        return javaClass.getEnclosingClass().map(ClassOrigin::topLevel).orElse(javaClass);
    }

    private static String location(JavaClass javaClass) {
        return javaClass.getSource().map(source -> source.getUri().toString()).orElse("");
    }

    /** Returns the folders of the modules that these classes were built from. */
    public static SortedSet<Path> modules(JavaClasses classes) {
        return classes.stream()
                .map(ClassOrigin::location)
                .filter(location -> location.contains(FOLDER))
                .map(ClassOrigin::module)
                .flatMap(Optional::stream)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Optional<Path> module(String location) {
        String file = location.substring(0, location.indexOf(FOLDER));
        int start = file.indexOf("file:");
        return start < 0 ? Optional.empty() : Optional.of(Path.of(URI.create(file.substring(start))));
    }
}
