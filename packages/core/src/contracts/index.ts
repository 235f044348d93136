export { type ContractCase, ContractError } from './contract.js';
export { type StoreUnderTest, storeContract } from './store-contract.js';
