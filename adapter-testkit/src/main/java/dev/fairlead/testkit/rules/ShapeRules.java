package dev.fairlead.testkit.rules;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.fairlead.domain.failure.StorageException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Rules on how the classes of an adapter or of a library are written. */
public final class ShapeRules {
    @ArchTest
    static final ArchRule every_package_is_null_marked =
            classes().that(are(ClassOrigin.WRITTEN)).should(new NullMarkedPackage());

    @ArchTest
    static final ArchRule fields_are_private = fields().that()
            .areDeclaredInClassesThat(are(ClassOrigin.WRITTEN))
            .and(describeField("are no constants", ShapeRules::isNoConstant))
            .should()
            .bePrivate()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule fields_are_final_or_safe = fields().that()
            .areDeclaredInClassesThat(are(ClassOrigin.WRITTEN))
            .should(
                    new ArchCondition<>(
                            "be final, or volatile, or belong to a class that synchronises or that is used by one call"
                                    + " alone") {
                        @Override
                        public void check(JavaField field, ConditionEvents events) {
                            Set<JavaModifier> modifiers = field.getModifiers();
                            boolean fine = modifiers.contains(JavaModifier.FINAL)
                                    || modifiers.contains(JavaModifier.SYNTHETIC)
                                    || (!modifiers.contains(JavaModifier.STATIC)
                                            && (modifiers.contains(JavaModifier.VOLATILE)
                                                    || isGuarded(ClassOrigin.topLevel(field.getOwner()))
                                                    || isConfined(field.getOwner(), new HashSet<>())));
                            events.add(new SimpleConditionEvent(field, fine, field.getFullName() + " is not final"));
                        }
                    })
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothing_is_injected_into_fields = fields().that()
            .areDeclaredInClassesThat(are(ClassOrigin.WRITTEN))
            .should()
            .notBeAnnotatedWith("jakarta.inject.Inject")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothing_has_setters = methods()
            .that()
            .areDeclaredInClassesThat(are(ClassOrigin.WRITTEN))
            .and()
            .haveNameMatching("set[A-Z].*")
            .should(new ArchCondition<>("leave the fields of their object alone") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    boolean sets = method.getFieldAccesses().stream()
                            .anyMatch(access -> access.getAccessType() == JavaFieldAccess.AccessType.SET);
                    events.add(new SimpleConditionEvent(method, !sets, method.getFullName() + " is a setter"));
                }
            })
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule only_known_unchecked_exceptions_are_made = noClasses()
            .that(are(ClassOrigin.WRITTEN))
            .should()
            .callConstructorWhere(
                    describeCall("it is an unchecked exception of another kind", ShapeRules::isStrangeException));

    @ArchTest
    static final ArchRule names_say_what_a_class_is =
            classes().that(are(ClassOrigin.WRITTEN)).should(new TellingName());

    private ShapeRules() {}

    @ArchTest
    static void no_source_file_is_too_long(JavaClasses classes) {
        assertThat(SourceLength.over(classes)).isEmpty();
    }

    @ArchTest
    static void javadoc_opens_with_a_sentence(JavaClasses classes) {
        assertThat(OpeningSentence.otherwise(classes)).isEmpty();
    }

    private static boolean isNoConstant(JavaField field) {
        Set<JavaModifier> modifiers = field.getModifiers();
        return !modifiers.contains(JavaModifier.SYNTHETIC)
                && !(modifiers.contains(JavaModifier.STATIC) && modifiers.contains(JavaModifier.FINAL));
    }

    /** Returns whether a class has synchronized methods or holds a lock, so that it may have state that changes. */
    private static boolean isGuarded(JavaClass owner) {
        return owner.getMethods().stream().anyMatch(m -> m.getModifiers().contains(JavaModifier.SYNCHRONIZED))
                || owner.getFields().stream()
                        .anyMatch(f -> f.getRawType().isAssignableTo("java.util.concurrent.locks.Lock"));
    }

    /**
     * Returns whether a class neither implements a port nor is kept, through fields, by one that does: its objects live
     * no longer than the call that made them.
     */
    private static boolean isConfined(JavaClass type, Set<JavaClass> seen) {
        boolean port = type.getAllRawInterfaces().stream()
                .anyMatch(known -> known.getPackageName().startsWith("dev.fairlead.application.port"));
        return !port
                && (!seen.add(type)
                        || type.getFieldsWithTypeOfSelf().stream()
                                .allMatch(field -> isConfined(field.getOwner(), seen)));
    }

    // Checked exceptions are allowed inside a module: the compiler does not let them leave through a port.
    private static boolean isStrangeException(JavaConstructorCall call) {
        JavaClass made = call.getTargetOwner();
        boolean callOfSuper = call.getOriginOwner().isAssignableTo(Throwable.class);
        boolean unchecked = made.isAssignableTo(RuntimeException.class) || made.isAssignableTo(Error.class);
        return unchecked
                && !callOfSuper
                && !made.isEquivalentTo(StorageException.class)
                && !made.isEquivalentTo(IllegalArgumentException.class)
                && !made.isEquivalentTo(IllegalStateException.class)
                && !made.isEquivalentTo(MatchException.class) // which the compiler puts into every switch
                && !made.getSimpleName().equals("InvalidConfigException")
                && !isOfTheModuleItself(made, call);
    }

    /** Returns whether an exception belongs to the module that makes it, which translates it at its own edge. */
    private static boolean isOfTheModuleItself(JavaClass made, JavaCall<?> call) {
        return made.getPackageName().startsWith("dev.fairlead.")
                && room(made.getPackageName()).equals(room(call.getOriginOwner().getPackageName()));
    }

    /**
     * Returns the package of an adapter, such as {@code dev.fairlead.adapter.zfs}, or of a library, such as
     * {@code dev.fairlead.zfs}.
     */
    private static String room(String packageName) {
        int names = packageName.startsWith(AllowedLibraries.ADAPTERS) ? 4 : 3;
        return String.join(".", Stream.of(packageName.split("\\.")).limit(names).toList());
    }

    private static DescribedPredicate<JavaField> describeField(String words, Predicate<JavaField> test) {
        return DescribedPredicate.describe(words, test);
    }

    private static DescribedPredicate<JavaConstructorCall> describeCall(
            String words, Predicate<JavaConstructorCall> test) {
        return DescribedPredicate.describe(words, test);
    }
}
