package dev.fairlead.linstor.rest;

import dev.fairlead.linstor.answer.RestAnswer;

/** Carries out orders to the simulator itself, each an object of JSON. */
@FunctionalInterface
public interface LinstorOrders {
    RestAnswer carryOut(String order);
}
