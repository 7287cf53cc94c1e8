package dev.fairlead.adapter.local.pool;

class PoolAdversityTest extends PoolAdversityContract {
    @Override
    String kind() {
        return "image";
    }
}
