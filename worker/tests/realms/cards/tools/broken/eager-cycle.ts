import { Root } from '../../cards/eager-cycle-a';
import { takes } from '../describing';

export default class RootTool extends takes(Root as any) {}
