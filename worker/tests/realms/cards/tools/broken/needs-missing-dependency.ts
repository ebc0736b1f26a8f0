export { default } from './missing-dependency';
