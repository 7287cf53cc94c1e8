package dev.fairlead.testkit.rules;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Checks the shape of a library, which several adapters use. Its module includes these rules as an adapter's module
 * includes {@link AdapterRules}.
 */
public final class LibraryRules {
    @ArchTest
    static final ArchTests shape = ArchTests.in(ShapeRules.class);

    @ArchTest
    static final ArchRule libraries_know_ports_domain_and_their_own_third_party =
            classes().that(are(ClassOrigin.WRITTEN)).should(new AllowedLibraries());

    /** The rule that a library implements no port to the outside; a module that does is an adapter. */
    @ArchTest
    static final ArchRule libraries_implement_no_port_to_the_outside = noClasses()
            .that(are(ClassOrigin.WRITTEN))
            .should()
            .beAssignableTo(JavaClass.Predicates.resideInAPackage("dev.fairlead.application.port.out.."));

    /**
     * The rule that a library knows no dependency injection: Dagger assembles what an adapter opens, not what that is
     * made of.
     */
    @ArchTest
    static final ArchRule libraries_know_no_container = noClasses()
            .that(are(ClassOrigin.WRITTEN))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dagger..", "jakarta.inject..");

    private LibraryRules() {}
}
