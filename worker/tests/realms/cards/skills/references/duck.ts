// Beside the skill: a bare name is a sibling.
export { PlainClass } from '../../tools/duck';
import { PlainClass } from '../../tools/duck';
export default PlainClass;
