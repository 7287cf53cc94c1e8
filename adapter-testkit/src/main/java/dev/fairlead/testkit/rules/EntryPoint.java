package dev.fairlead.testkit.rules;

import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.STATIC;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.EnumSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A public class of an adapter is an entry point, or another package of the same adapter uses it.
 *
 * <p>Java has no word for what is public inside an adapter alone; {@link #isInside} keeps everybody else from it.
 */
public final class EntryPoint extends ArchCondition<JavaClass> {
    private static final Pattern NAME =
            Pattern.compile("\\w*Module|\\w*Settings(Builder)?|GrpcServer|CsiProbe|package-info");

    public EntryPoint() {
        super("be an entry point, or be used by another package of the adapter");
    }

    /** Says whether a class belongs to an adapter and is not made for those who compose it. */
    public static boolean isInside(JavaClass type) {
        return type.getPackageName().startsWith(AllowedLibraries.ADAPTERS)
                && !ClassOrigin.isGenerated(type)
                && !isEntryPoint(type);
    }

    private static boolean isEntryPoint(JavaClass type) {
        return NAME.matcher(ClassOrigin.topLevel(type).getSimpleName()).matches();
    }

    /**
     * Says whether a class has constants only: the compiler copies these to their users, so their use leaves no trace.
     */
    private static boolean isOfConstants(JavaClass type) {
        return !type.getFields().isEmpty()
                && type.getMethods().isEmpty()
                && type.getFields().stream()
                        .allMatch(field -> field.getModifiers().containsAll(EnumSet.of(STATIC, FINAL)));
    }

    /**
     * Looks for users of a type in other packages; a variable of a type leaves a trace only if something of it is used.
     */
    @Override
    public void check(JavaClass type, ConditionEvents events) {
        boolean fine = isEntryPoint(type)
                || isOfConstants(type)
                || Stream.concat(parts(type), type.getAllSubclasses().stream()).anyMatch(EntryPoint::isUsed);
        events.add(new SimpleConditionEvent(
                type, fine, type.getName() + " is public, and nobody outside its package uses it"));
    }

    private static Stream<JavaClass> parts(JavaClass type) {
        return type.getPackage().getClasses().stream()
                .filter(it -> ClassOrigin.topLevel(it).equals(type));
    }

    private static boolean isUsed(JavaClass type) {
        return type.getDirectDependenciesToSelf().stream()
                .anyMatch(it -> !it.getOriginClass().getPackageName().equals(type.getPackageName()));
    }
}
