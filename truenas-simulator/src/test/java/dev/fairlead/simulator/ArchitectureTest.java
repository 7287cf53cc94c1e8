package dev.fairlead.simulator;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.LibraryRules;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.simulator")
@UsesLibraries({"com.google.gson.", "org.apache.sshd.", "org.eclipse.jetty.", "javax.crypto.", "javax.net.ssl."})
class ArchitectureTest {
    @ArchTest
    static final ArchTests library = ArchTests.in(LibraryRules.class);
}
